import { defineCommand } from '../command/command.ts'
import { exitCodes } from '../failure/exit-codes.ts'
import { Failure, usageFailure } from '../failure/failure.ts'
import { type HostLink, openHost } from '../host/host-link.ts'

/** `trunkline chat`: a conversation with a model that uses the servers. */
export const chatCommand = defineCommand({
  name: 'chat',
  group: 'host',
  needs: 'person',
  summary: 'Talks with a language model that uses your servers, under your policy',
  usage: ['[TEXT…]', '--print TEXT'],
  details: [
    'Each call is shown with its arguments before it runs. A call that needs approval is asked about in place, with the keys of "inbox". /PROMPT uses a prompt of a server, @URI attaches a resource, and Tab completes both. Ctrl-C stops an answer, Ctrl-D ends the chat, /help lists the other commands. Conversations are saved; /resume continues one.',
    'It needs a model in trunkline.json, such as "models": { "best": { "provider": "anthropic", "name": "claude-sonnet-4-5", "key": "secret:anthropic" } }, or "ollama" as the provider for a model on this machine. Without a model it prints what to set.',
    'With --print only the answer goes to stdout. The exit code is 0 for an answer, 1 without a model, 2 when the answer is incomplete, 3 when the provider refuses, 4 when it cannot be reached, 5 when a call needs approval or the budget is used up, 6 when the key is rejected, and 124 when no answer comes.',
  ],
  options: {
    print: {
      type: 'string',
      short: 'p',
      value: 'TEXT',
      summary: 'Send this text and print the answer; - reads the text from stdin',
    },
    model: { type: 'string', short: 'm', value: 'NAME', summary: 'The model to use' },
    resume: {
      type: 'string',
      short: 'r',
      value: 'ID',
      summary: 'Continue a saved conversation; "last" is the most recent one',
    },
    wait: { type: 'boolean', summary: 'With --print: wait until a person decides elsewhere' },
    'no-input': { type: 'boolean', summary: 'Never ask for input, even in a terminal' },
  },
  json: 'with --print `{ conversation, text, calls, tokens }`',
  examples: [
    { line: 'trunkline chat', shows: 'a conversation' },
    { line: 'trunkline chat --print "What changed in README.md today?"', shows: 'one answer, for a script' },
    { line: 'git diff | trunkline chat --print -', shows: 'the text from a pipe' },
  ],
  async run({ options, output, words, terminal, signal }) {
    const { saidInput } = await import('../chatting/chat-line.ts')
    const printed = options.print === '-' ? await allOf(terminal.input) : options.print
    if (printed === undefined && !terminal.isInteractive) {
      throw usageFailure('Cannot talk here: this is no terminal', 'Say one thing: trunkline chat --print "…"')
    }
    const host = await startedHost()
    const conversation = await conversationFor(host, options)
    if (printed !== undefined) {
      const [{ printAnswer }, { asking }, { ChatScreen }] = await Promise.all([
        import('../chatting/print-answer.ts'),
        import('../chatting/converse.ts'),
        import('../chatting/chat-screen.ts'),
      ])
      const ask = terminal.isInteractive ? { ask: asking({ host, output, terminal }, new ChatScreen(output)) } : {}
      const wait = options.wait === true
      await printAnswer({ host, output, conversation, input: saidInput(printed), signal, wait, ...ask })
      return undefined
    }
    const { converse } = await import('../chatting/converse.ts')
    if (options.resume !== undefined) {
      const { showSaid } = await import('../chatting/chat-commands.ts')
      await showSaid(host, output, conversation)
    }
    output.note('/help says what can be typed; Ctrl-D ends')
    const first = words.length === 0 ? undefined : saidInput(words.join(' '))
    await converse({ openHost: startedHost, output, terminal, signal, conversation, first })
    return undefined
  },
})

async function startedHost(): Promise<HostLink> {
  const { runningOrStarted } = await import('../host/start-detached.ts')
  await runningOrStarted()
  return openHost()
}

async function conversationFor(
  host: HostLink,
  { model, resume }: { readonly model?: string; readonly resume?: string },
): Promise<string> {
  if (resume === undefined) return begun(host, model)
  if (model !== undefined) throw usageFailure('Cannot use --model with --resume: a conversation keeps its model')
  const { items } = await host.call('chats')
  const found = resume === 'last' ? items.find(({ title }) => title !== '') : items.find(({ id }) => id === resume)
  if (found) return found.id
  throw new Failure(`Cannot go on with "${resume}": there is no such conversation`, {
    code: 'Unknown',
    exit: exitCodes.usage,
    hint: 'trunkline chat, then /resume, lists them',
  })
}

async function begun(host: HostLink, model: string | undefined): Promise<string> {
  try {
    return (await host.call('startChat', model === undefined ? {} : { model })).id
  } catch (error) {
    if (!(error instanceof Failure) || !/trunkline\.json/.test(error.message)) throw error
    const { findPlaces, thisMachine } = await import('@trunkline/host/api')
    const { code, exit, message } = error
    throw new Failure(message, { code, exit, hint: `The file: ${findPlaces(thisMachine()).userFile}` })
  }
}

async function allOf(input: AsyncIterable<Buffer | string>): Promise<string> {
  let text = ''
  for await (const piece of input) text += piece
  return text.trim()
}
