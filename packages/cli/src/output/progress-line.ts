import type { Progress } from '@trunkline/mcp/client'

/** How far something has come, in one line. */
export function progressLine(name: string, { progress, total, message }: Progress): string {
  return `${name}${shareOf(progress, total)}${message ? `, ${message}` : ''}`
}

function shareOf(progress: number, total: number | undefined): string {
  if (total !== undefined && total > 0) return ` ${Math.floor((100 * progress) / total)} %`
  // what hardly grows, such as that of a call which waits for somebody, says nothing
  return progress < 0.001 ? '' : ` ${progress}`
}
