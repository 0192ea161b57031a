/** One event of a stream. */
export interface StreamEvent {
  readonly data: string
  readonly event?: string
  readonly id?: string
  readonly retryMs?: number
}

/** Formats an event; line breaks in its data cannot end it. */
export function formatEvent({ data, event, id, retryMs }: StreamEvent): string {
  let text = ''
  if (event !== undefined) text += `event: ${oneLine(event)}\n`
  if (id !== undefined) text += `id: ${oneLine(id)}\n`
  if (retryMs !== undefined) text += `retry: ${retryMs}\n`
  // JSON has no raw line breaks, so the usual event has one data line
  if (!/[\r\n]/.test(data)) return `${text}data: ${data}\n\n`
  for (const line of data.split(/\r\n|\r|\n/)) text += `data: ${line}\n`
  return `${text}\n`
}

/** A comment that keeps an idle stream open through proxies. */
export const keepAliveComment = ': still here\n\n'

function oneLine(text: string): string {
  if (/[\r\n\0]/.test(text)) throw new TypeError('Cannot write an event: its name or id holds a line break')
  return text
}
