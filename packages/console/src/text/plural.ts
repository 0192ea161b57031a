import { formatNumber } from './number.ts'
/** A number with its noun. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`
}
