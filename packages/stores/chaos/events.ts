/** An event of a response. */
export interface ReceivedEvent {
  readonly id: string
  readonly data: string
}

/** Events of a response as they come. */
export async function* eventsIn(response: Response): AsyncGenerator<ReceivedEvent> {
  let text = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const parts = (text + chunk).split('\n\n')
    text = parts.pop() ?? ''
    for (const part of parts) yield { id: field(part, 'id'), data: field(part, 'data') }
  }
}

function field(event: string, name: string): string {
  const line = event.split('\n').find((each) => each.startsWith(`${name}:`)) ?? ''
  return line.slice(name.length + 1).trim()
}
