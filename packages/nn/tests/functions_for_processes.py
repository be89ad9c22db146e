"""Functions that processes find by their names."""

import os
import signal
import time

import lamina_nn as nn
import lamina_tensor as lt


def add_one(i, x, queue):
    x[i] += 1
    queue.put((i, lt.arange(3.0) * i))


def train(i, model):
    for _ in range(20):
        loss = (model(lt.ones(4, 3)) - 1).square().mean()
        model.zero_grad()
        loss.backward()
        with lt.no_grad():
            for parameter in model.parameters():
                parameter -= 0.01 * parameter.grad


def fail(i, how, folder):
    (folder / f"{os.getpid()}").touch()
    if i == 1:
        while len(list(folder.iterdir())) < 3:
            time.sleep(0.01)
        if how == "raise":
            raise ValueError("out of luck " * 20_000)  # more than a pipe holds
        if how == "exit":
            os._exit(3)
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(600)


def times(scale, x):
    return x * scale


def trained(model, x):
    nn.functional.mse_loss(model(x), lt.zeros(len(x), 2)).backward()
    return model.weight.grad


def stay(i, folder):
    (folder / f"{os.getpid()}").touch()
    time.sleep(600)
