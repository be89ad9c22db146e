"""Mistakes that checkers have to find, one to a line: where a type is really `Any`, `assert_type` says nothing and these do.

Not run: every line that ends in `# mistake` has to have an error.
"""

import lamina as torch
import lamina.nn.functional as F
import lamina_ndarray as nd
from lamina import Tensor, nn, optim
from lamina.utils.data import DataLoader, TensorDataset

x = torch.zeros(2, 3)
model = nn.Linear(3, 1)
array = nd.zeros((2, 3))

number: int = x  # mistake
text: str = x + 1  # mistake
flag: bool = x > 0  # mistake
rows: str = x.shape[0]  # mistake
whole: Tensor = x.shape  # mistake
kind: str = x.dtype  # mistake
best: int = torch.max(x, dim=1).values  # mistake
relu: int = F.relu(x)  # mistake
norm: int = torch.linalg.norm(x)  # mistake
slopes: int = x.grad  # mistake
part: str = x[0]  # mistake
same: Tensor = torch.equal(x, x)  # mistake
weight: int = model.weight  # mistake
again: int = model.train()  # mistake
items: str = array + 1  # mistake
size: str = array.shape  # mistake
x.no_such_method()  # mistake
torch.no_such_function(x)  # mistake
nn.NoSuchLayer(3)  # mistake
F.relu("text")  # mistake
torch.sum(x, dimension=0)  # mistake
x.sum(dim="rows")  # mistake
x.reshape("2")  # mistake
torch.cat(x, x)  # mistake
torch.zeros(2, dtype="float32")  # mistake
nn.Linear("3", 1)  # mistake
nn.Linear(3)  # mistake
optim.SGD(model.parameters(), rate=0.1)  # mistake
DataLoader(TensorDataset(x), batch_size="8")  # mistake
nd.sum(array, dim=0)  # mistake
array.no_such_method()  # mistake
turned: str = nd.permute_dims(array, (1, 0))  # mistake
area: str = nd.trapezoid(array)  # mistake
inverse: str = nd.linalg.inv(array)  # mistake
parts: str = nd.split(array, 2)[0]  # mistake
columns: str = nd.linalg.qr(array).Q  # mistake
nd.linalg.inv("text")  # mistake
nd.kron(array, [1.0, 2.0])  # mistake
