"""What makes a step slow where graphs are compiled: host reads, and shapes that change."""
