/** One event of a stream, in the form in which it travels. */
export interface StreamEvent {
  readonly data: string
  readonly event?: string
  readonly id?: string
  readonly retryMs?: number
}

/** Writes an event; a line break in its data can neither end it nor start another one. */
export function formatEvent({ data, event, id, retryMs }: StreamEvent): string {
  let text = ''
  if (event !== undefined) text += `event: ${oneLine(event)}\n`
  if (id !== undefined) text += `id: ${oneLine(id)}\n`
  if (retryMs !== undefined) text += `retry: ${retryMs}\n`
  // JSON has no raw line breaks, so the usual event is one line
  if (!/[\r\n]/.test(data)) return `${text}data: ${data}\n\n`
  for (const line of data.split(/\r\n|\r|\n/)) text += `data: ${line}\n`
  return `${text}\n`
}

/** Keeps a quiet stream open through proxies; readers ignore it. */
export const keepAliveComment = ': still here\n\n'

function oneLine(text: string): string {
  if (/[\r\n\0]/.test(text)) throw new TypeError('Cannot write an event: its name or id holds a line break')
  return text
}
