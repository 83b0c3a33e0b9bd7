import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
torch.backends.cudnn.benchmark = True

BATCH_SIZE = 32
EPOCHS = 3


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(20, 64)
        self.fc2 = nn.Linear(64, 4)
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        return self.fc2(self.drop(F.relu(self.fc1(x))))


x_all = torch.randn(256, 20)
y_all = x_all[:, :4].argmax(1)

net = Net().cuda()
criterion = nn.CrossEntropyLoss().cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)

for epoch in range(EPOCHS):
    net.train()
    running = 0.0
    for i in range(0, len(x_all), BATCH_SIZE):
        inputs, targets = x_all[i : i + BATCH_SIZE], y_all[i : i + BATCH_SIZE]
        inputs, targets = inputs.cuda(), targets.cuda()
        optimizer.zero_grad()
        loss = criterion(net(inputs), targets)
        loss.backward()
        optimizer.step()
        running += loss.item()
    print("epoch %d loss %.3f" % (epoch, running / (len(x_all) // BATCH_SIZE)))

net.eval()
with torch.no_grad():
    pred = net(x_all.cuda()).argmax(dim=1)
    correct = (pred == y_all.cuda()).sum().item()
print("accuracy", correct / len(x_all))
print("device:", next(net.parameters()).device.type)
