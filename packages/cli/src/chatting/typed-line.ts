import { createInterface } from 'node:readline'
import type { HostLink } from '../host/host-link.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { chatCommands } from './chat-line.ts'

/** A line of the conversation, with completion; undefined when the input was closed. Ctrl-C empties the line. */
export function typedLine(
  host: HostLink,
  { input, screen }: Terminal,
  { history, signal }: { readonly history: readonly string[]; readonly signal: AbortSignal },
): Promise<string | undefined> {
  signal.throwIfAborted()
  const reader = createInterface({
    input,
    output: screen,
    terminal: true,
    history: [...history],
    prompt: '> ',
    completer: (line: string, done: (error: null, found: [string[], string]) => void) => {
      void candidates(host, line).then((found) => done(null, found))
    },
  })
  return new Promise<string | undefined>((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    reader.on('SIGINT', () => {
      screen.write('\n(Ctrl-D ends)\n')
      reader.write(null, { ctrl: true, name: 'u' })
      reader.prompt()
    })
    reader.on('close', () => resolve(undefined))
    reader.on('line', (line) => {
      signal.removeEventListener('abort', abort)
      resolve(line)
    })
    reader.prompt()
  }).finally(() => reader.close())
}

/** Commands of the chat, and what the host knows of prompts, arguments and resources. */
async function candidates(host: HostLink, line: string): Promise<[string[], string]> {
  const own = Object.keys(chatCommands)
    .map((name) => `/${name}`)
    .filter((name) => name.startsWith(line) && line.startsWith('/'))
  try {
    const { word, candidates: found } = await host.call('completeChat', { text: line })
    return [[...own, ...found], word]
  } catch {
    // a line can be typed without completion
    return [own, line]
  }
}
