"""Balance a pole on a cart by trial and error: a policy gradient (Williams, 1992), on a cart-pole of this file.

A cart stands on a rail, a pole on the cart. In each fiftieth of a second the network chooses to push left or right, and is told nothing
but when the pole has fallen. Run: python examples/policy_gradient.py
64 carts are driven at once: the network keeps the pole up for all 200 steps after 60 rounds, and for 73 after 12;
pushing at random for 20.
"""

import argparse
import math

import lamina as torch
from lamina import nn
from lamina_nn.files import save_file

STEPS, CARTS = 200, 64
GRAVITY, CART, POLE, HALF_LENGTH, FORCE, SECONDS = 9.8, 1.0, 0.1, 0.5, 10.0, 0.02  # in m/s², kg, kg, m, N, s
EDGE, FALLEN = 2.4, math.radians(12)


def moved(state, right):
    """States (n, 4) of place, speed, angle and turning speed, a fiftieth of a second after a push to the right (1) or left (0).

    Newton's laws of the cart and of the pole, whose mass is spread over its length; one step of Euler's method.
    """
    place, speed, angle, turning = state.unbind(1)
    sine, cosine = angle.sin(), angle.cos()
    push = (2 * right - 1) * FORCE
    pulled = (push + POLE * HALF_LENGTH * turning**2 * sine) / (CART + POLE)
    turned = (GRAVITY * sine - cosine * pulled) / (HALF_LENGTH * (4 / 3 - POLE * cosine**2 / (CART + POLE)))
    driven = pulled - POLE * HALF_LENGTH * turned * cosine / (CART + POLE)
    return torch.stack([place, speed, angle, turning], 1) + SECONDS * torch.stack([speed, driven, turning, turned], 1)


def driven(policy, device):
    """One round of all carts: the logarithm of how likely each push was (steps, n), and whether the pole was up then (steps, n)."""
    state = (torch.rand(CARTS, 4) * 0.1 - 0.05).to(device)
    up, chances, ups = torch.ones(CARTS, device=device), [], []
    for _ in range(STEPS):
        scores = policy(state)
        log_chances = scores.log_softmax(1)
        right = torch.multinomial(scores.detach().cpu().softmax(1), 1).to(device)
        chances.append(log_chances.gather(1, right)[:, 0])
        ups.append(up)
        with torch.no_grad():
            state = moved(state, right[:, 0].float())
            up = up * ((state[:, 0].abs() < EDGE) & (state[:, 2].abs() < FALLEN)).float()
        if not up.any():
            break
    return torch.stack(chances), torch.stack(ups)


def loss_of(chances, up, discount=0.98):
    """Makes pushes likelier the longer the pole stayed up after them, in comparison with the other carts."""
    following, returns = torch.zeros_like(up[0]), []
    for reward in reversed(up.unbind(0)):
        following = reward + discount * following
        returns.append(following)
    worth = torch.stack(returns[::-1])
    mean = (worth * up).sum() / up.sum()
    spread = (((worth - mean) * up).square().sum() / up.sum()).sqrt()
    return -(chances * (worth - mean) / (spread + 1e-6) * up).sum() / up.sum()


def main(arguments=None):
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=60)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--device", default="cpu")
    options.add_argument("--out", default="policy.safetensors")
    chosen = options.parse_args(arguments)

    torch.manual_seed(chosen.seed)
    policy = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 2)).to(chosen.device)
    optimizer = torch.optim.Adam(policy.parameters(), lr=0.02)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, chosen.rounds)  # where nearly all stay up, what is left is chance
    for round_ in range(1, chosen.rounds + 1):
        chances, up = driven(policy, chosen.device)
        loss = loss_of(chances, up)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        if round_ == 1 or round_ % 5 == 0:
            kept = up.sum().item() / CARTS
            print(f"round {round_:3}  {kept:5.1f} steps  {'#' * round(kept / STEPS * 60)}", flush=True)

    with torch.no_grad():
        kept = driven(policy, chosen.device)[1].sum().item() / CARTS
    save_file(policy.state_dict(), chosen.out)
    print(f"up for {kept:.1f} of {STEPS} steps on average; saved to {chosen.out}")
    return kept


if __name__ == "__main__":
    main()
