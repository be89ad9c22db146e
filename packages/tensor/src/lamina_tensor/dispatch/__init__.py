"""From PyTorch's functions to the ops of arrays that compute them, recorded where gradients are wanted."""
