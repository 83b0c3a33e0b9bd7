import random
from collections import deque

import numpy as np
import torch
import torch.nn as nn


class Corridor:
    def reset(self):
        self.pos = 2
        return np.eye(6, dtype=np.float32)[self.pos]

    def step(self, action):
        self.pos += 1 if action == 1 else -1
        done = self.pos in (0, 5)
        return np.eye(6, dtype=np.float32)[self.pos], float(self.pos == 5), done


class DQNAgent:
    def __init__(self, state_dim, n_actions):
        self.device = "cuda"
        self.n_actions, self.gamma = n_actions, 0.9
        self.memory = deque(maxlen=500)
        self.q_net = self._build(state_dim, n_actions)
        self.target_net = self._build(state_dim, n_actions)
        self.target_net.load_state_dict(self.q_net.state_dict())
        self.optimizer = torch.optim.Adam(self.q_net.parameters(), lr=1e-2)

    def _build(self, state_dim, n_actions):
        return nn.Sequential(nn.Linear(state_dim, 24), nn.ReLU(), nn.Linear(24, n_actions)).to(self.device)

    def act(self, state, epsilon):
        if random.random() < epsilon:
            return random.randrange(self.n_actions)
        state = torch.from_numpy(state).unsqueeze(0).to(self.device)
        with torch.no_grad():
            return self.q_net(state).argmax(1).item()

    def learn(self, batch_size=32):
        s, a, r, s2, d = zip(*random.sample(self.memory, batch_size))
        s, s2 = torch.tensor(np.array(s), device=self.device), torch.tensor(np.array(s2)).to(self.device)
        a = torch.tensor(a, device=self.device).unsqueeze(1)
        r = torch.tensor(r, dtype=torch.float32, device=self.device)
        d = torch.tensor(d, dtype=torch.float32).to(self.device)
        q = self.q_net(s).gather(1, a).squeeze(1)
        with torch.no_grad():
            target = r + self.gamma * (1 - d) * self.target_net(s2).max(1).values
        loss = nn.functional.smooth_l1_loss(q, target)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss


random.seed(0), np.random.seed(0), torch.manual_seed(0)
env, agent = Corridor(), DQNAgent(6, 2)
for episode in range(25):
    state, done = env.reset(), False
    for t in range(20):
        action = agent.act(state, epsilon=max(0.1, 1 - episode / 15))
        nxt, reward, done = env.step(action)
        agent.memory.append((state, action, reward, nxt, done))
        state = nxt
        if len(agent.memory) >= 32:
            loss = agent.learn()
        if done:
            break
    if episode % 5 == 0:
        agent.target_net.load_state_dict(agent.q_net.state_dict())
print("loss", loss.item(), "greedy action", agent.act(env.reset(), 0.0))
print("device:", next(agent.q_net.parameters()).device.type)
