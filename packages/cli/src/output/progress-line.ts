import type { Progress } from '@trunkline/mcp/client'

/** How far something has come, in one line. */
export function progressLine(name: string, { progress, total, message }: Progress): string {
  const share = total !== undefined && total > 0 ? ` ${Math.floor((100 * progress) / total)} %` : ` ${progress}`
  return `${name}${share}${message ? `, ${message}` : ''}`
}
