"""Find three peaks in noisy measurements, and how sure one may be of them: the method of Gauss, Newton, Levenberg and Marquardt.

Run: python examples/gauss_newton.py
Nine numbers are fitted to 200 measurements. `lamina.func.jacfwd` gives what each residual owes to each of them, in one call. The method is
done after 14 steps, at a sum of squares of 1.902; Adam is at 9.784 after 1,000. The same Jacobian tells the standard errors.
"""

import argparse

import lamina as torch
from lamina.func import jacfwd
from lamina_nn.files import save_file

TRUE = {"height": [2.0, 3.0, 1.5], "centre": [-2.0, 0.5, 2.5], "width": [0.5, 0.7, 0.4]}
GUESS = {"height": [1.0, 1.0, 1.0], "centre": [-1.5, 0.0, 2.0], "width": [0.6, 0.6, 0.6]}
NOISE = 0.1


def curve(peaks, x):
    """The sum of three bells at places (n,); `peaks` (9,) are three heights, centres and widths."""
    height, centre, width = peaks.reshape(3, 3, 1)
    return (height * torch.exp(-(((x - centre) / width) ** 2) / 2)).sum(0)


def gauss_newton(residuals, peaks, steps=50):
    """Take residuals for linear where one is, and go to where the sum of their squares would be least; but not too far."""
    damping, cost = 1e-2, residuals(peaks).square().sum()
    for step in range(1, steps + 1):
        jacobian, now = jacfwd(residuals)(peaks), residuals(peaks)  # (n, 9), (n,)
        square = jacobian.T @ jacobian
        tried = peaks - torch.linalg.solve(square + damping * torch.diag(square.diagonal()), jacobian.T @ now)
        new = residuals(tried).square().sum()
        if new >= cost:  # the residuals are not as linear as that: a shorter step
            damping *= 10
            if damping > 1e8:
                break
            continue
        gain, peaks, cost, damping = (cost - new) / cost, tried, new, damping / 10
        print(f"step {step:3}  sum of squares {cost.item():9.4f}", flush=True)
        if gain < 1e-10:
            break
    return peaks, step


def adam(residuals, peaks, steps):
    peaks = peaks.clone().requires_grad_()
    optimizer = torch.optim.Adam([peaks], lr=0.01)
    for _ in range(steps):
        cost = residuals(peaks).square().sum()
        optimizer.zero_grad()
        cost.backward()
        optimizer.step()
    return cost.item()


def main(arguments=None):
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--adam", type=int, default=1000, help="steps of Adam, to compare")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--device", default="cpu")
    options.add_argument("--out", default="peaks.safetensors")
    chosen = options.parse_args(arguments)

    torch.manual_seed(chosen.seed)
    true, guess = (torch.tensor(list(of.values()), dtype=torch.float64).flatten().to(chosen.device) for of in (TRUE, GUESS))
    x = torch.linspace(-4, 4, 200, dtype=torch.float64)
    measured = (curve(true.cpu(), x) + NOISE * torch.randn(200, dtype=torch.float64)).to(chosen.device)
    x = x.to(chosen.device)

    def residuals(peaks):
        return curve(peaks, x) - measured

    peaks, steps = gauss_newton(residuals, guess)
    cost = residuals(peaks).square().sum().item()
    jacobian = jacfwd(residuals)(peaks)
    error = (torch.linalg.inv(jacobian.T @ jacobian).diagonal() * cost / (len(x) - len(peaks))).sqrt()

    print(f"\n{'':10}{'true':>8}{'guess':>8}{'found':>9}   standard error")
    names = [f"{name} {i}" for name in TRUE for i in (1, 2, 3)]
    for name, *row in zip(names, true.tolist(), guess.tolist(), peaks.tolist(), error.tolist(), strict=True):
        print(f"{name:10}{row[0]:8.2f}{row[1]:8.2f}{row[2]:9.4f} ± {row[3]:.4f}")
    farthest = ((peaks - true) / error).abs().max().item()
    print(f"\nnoise {(cost / (len(x) - len(peaks))) ** 0.5:.4f}, true {NOISE}; no number is farther off than {farthest:.1f} errors")
    print(f"{steps} steps to {cost:.6f}; Adam has {adam(residuals, guess, chosen.adam):.6f} after {chosen.adam}")
    save_file({"peaks": peaks, "standard error": error}, chosen.out)
    print(f"saved to {chosen.out}")
    return steps, farthest


if __name__ == "__main__":
    main()
