/** A number as every screen shows it: `12,345`. */
export function formatNumber(value: number): string {
  return value.toLocaleString('en')
}

const units = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const

/** A number of bytes: exact below a thousand, else with one place: `1.5 MB`. */
export function formatBytes(bytes: number): string {
  let [value, at] = [bytes, 0]
  while (value >= 1_000 && at < units.length - 1) {
    value /= 1_000
    at += 1
  }
  if (at === 0) return `${formatNumber(value)} ${value === 1 ? 'byte' : 'bytes'}`
  return `${value.toFixed(1)} ${units[at]}`
}

/** A cost in the currency of its prices; small ones keep two digits that count. */
export function formatCost(cost: number): string {
  return cost >= 1 ? cost.toFixed(2) : String(Number(cost.toPrecision(2)))
}
