/** A number with what it counts: `1 server`, `12 servers`. */
export function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`
}
