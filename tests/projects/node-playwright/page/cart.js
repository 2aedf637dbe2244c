const prices = await (await fetch('/prices')).json();

function total(count) {
  return count > 10 ? count * prices.many : count * prices.one;
}

const input = document.querySelector('#count');

function show() {
  document.querySelector('#total').textContent = String(total(Number(input.value)));
}

input.addEventListener('input', show);
show();
