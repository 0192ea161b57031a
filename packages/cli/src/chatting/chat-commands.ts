import { usageFailure } from '../failure/failure.ts'
import type { HostLink } from '../host/host-link.ts'
import { ago } from '../host/show.ts'
import type { Output } from '../output/output.ts'
import { type Line, styled } from '../output/span.ts'
import { tableLines } from '../output/table.ts'
import { type ChatLine, chatCommands } from './chat-line.ts'

interface ChatCommandContext {
  readonly host: HostLink
  readonly output: Output
  readonly conversation: string
}

/** Conversations that are listed. */
const maxListed = 20

/** Runs a command of the chat itself; returns the conversation to go on with. */
export async function runChatCommand(
  { command, words: [word] }: Extract<NonNullable<ChatLine>, { command: unknown }>,
  context: ChatCommandContext,
): Promise<string> {
  const { host, output, conversation } = context
  const say = (lines: readonly Line[]): void => {
    for (const line of lines) output.note(line)
  }
  if (command === 'new') return begin(context, undefined)
  if (command === 'resume') return word === undefined ? listed(context) : resumed(context, word)
  if (command === 'model' && word !== undefined) return begin(context, word)
  if (command === 'model') say(await modelLines(host))
  if (command === 'tokens') say(await tokenLines(host, conversation))
  if (command === 'help') say(helpLines())
  return conversation
}

async function begin({ host, output }: ChatCommandContext, model: string | undefined): Promise<string> {
  const { id } = await host.call('startChat', model === undefined ? {} : { model })
  output.note(styled('faint', `A new conversation${model === undefined ? '' : ` with ${model}`}`))
  return id
}

async function listed({ host, output, conversation }: ChatCommandContext): Promise<string> {
  const { items } = await host.call('chats')
  const said = items.filter(({ title }) => title !== '').slice(0, maxListed)
  if (said.length === 0) output.note('No conversation is saved')
  const columns = [
    { title: '' },
    { title: 'began with', style: 'name' },
    { title: 'used' },
    { title: 'tokens' },
  ] as const
  const rows = said.map(({ title, usedAt, tokens }, at) => [
    String(at + 1),
    title,
    `${ago(usedAt)} ago`,
    String(tokens),
  ])
  for (const line of said.length === 0 ? [] : tableLines(columns, rows, output.width)) output.note(line)
  if (said.length > 0) output.note(styled('faint', 'Go on with one: /resume NUMBER'))
  return conversation
}

async function resumed({ host, output }: ChatCommandContext, word: string): Promise<string> {
  const { items } = await host.call('chats')
  const said = items.filter(({ title }) => title !== '')
  const found = said[Number(word) - 1] ?? items.find(({ id }) => id === word)
  if (!found) throw usageFailure(`Cannot go on with "${word}": there is no such conversation`, '/resume lists them')
  await showSaid(host, output, found.id)
  return found.id
}

/** Shows the end of a conversation, to go on from there. */
export async function showSaid(host: HostLink, output: Output, id: string): Promise<void> {
  const { title, entries } = await host.call('chat', { id })
  output.note(styled('faint', `Going on with "${title}"`))
  for (const entry of entries.slice(-lastEntries)) {
    if (entry.by === 'tools') continue
    const texts = entry.content.map((part) => {
      if (part.type === 'text') return part.text
      if (part.type === 'tool call') return `→ ${part.name}`
      return part.type === 'prompt' ? `/${part.name}` : `@${part.uri}`
    })
    output.note([styled('strong', entry.by === 'person' ? '> ' : ''), texts.join('\n')])
  }
}

const lastEntries = 6

async function modelLines(host: HostLink): Promise<readonly Line[]> {
  const { items, problem } = await host.call('models')
  if (problem !== undefined) return [problem]
  return items.map(({ name, provider, model, isUsual }) => [
    styled('name', name),
    ` ${model} (${provider})${isUsual ? ', the usual one' : ''}`,
  ])
}

async function tokenLines(host: HostLink, id: string): Promise<readonly Line[]> {
  const [{ tokens, cost }, { today }] = await Promise.all([host.call('chat', { id }), host.call('models')])
  return [
    `This conversation: ${tokens} tokens${cost > 0 ? `, ${cost.toFixed(4)}` : ''}`,
    `The last day, with sampling: ${today.tokens} tokens in ${today.requests} requests, ${today.cost.toFixed(4)}`,
  ]
}

function helpLines(): readonly Line[] {
  return [
    ...Object.entries(chatCommands).map(([name, says]): Line => [styled('name', `/${name}`), `  ${says}`]),
    [styled('name', '/SERVER__PROMPT name=value'), '  says what a prompt of a server makes; Tab completes'],
    [styled('name', '@ADDRESS'), '  attaches a resource; Tab completes'],
    'Ctrl-C stops an answer and its calls, Ctrl-D ends',
  ]
}
