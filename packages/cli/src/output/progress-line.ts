import type { Progress } from '@trunkline/mcp/client'

/** Progress of a call in one line. */
export function progressLine(name: string, { progress, total, message }: Progress): string {
  return `${name}${shareOf(progress, total)}${message ? `, ${message}` : ''}`
}

function shareOf(progress: number, total: number | undefined): string {
  if (total !== undefined && total > 0) return ` ${Math.floor((100 * progress) / total)} %`
  // tiny progress, such as that of a call which waits for a decision, says nothing
  return progress < 0.001 ? '' : ` ${progress}`
}
