const FREE_FROM = 50;

function shipping(total) {
  if (total >= FREE_FROM) {
    return 0;
  }
  return 5;
}

function discount(total, member) {
  return member && total > 100 ? 10 : 0;
}

function unused(total) {
  return total * 2;
}

module.exports = { shipping, discount, unused };
