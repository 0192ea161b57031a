import { join } from '../../src/testing.ts'
import { guest, type Topic } from './topic.ts'

/** Members that are different every time, because they are sealed, random or a time. */
const unpredictable: { readonly [member: string]: string } = {
  requestState: '<sealed>',
  cursor: '<sealed>',
  nextCursor: '<sealed>',
  elicitationId: '<random>',
  taskId: '<random>',
  createdAt: '<time>',
  lastUpdatedAt: '<time>',
}

/** Lets a client and a server have the talk of a topic in a revision, and writes it down. */
export async function transcribe(topic: Topic, revision: string): Promise<string> {
  const definition = topic.server()
  await using both = await join(definition, { info: guest, ...topic.options, revisions: [revision] })
  const { lines } = both.transcript
  if (!topic.opening) lines.length = 0
  await topic.talk(both.client, definition)
  // what was said last is heard by then
  await new Promise((resolve) => setImmediate(resolve))
  const said = lines.map(({ from, message }) => `${from === 'client' ? '→' : '←'} ${JSON.stringify(message, masked)}\n`)
  return `${topic.says}\n\n${said.join('')}`
}

function masked(member: string, value: unknown): unknown {
  return typeof value === 'string' ? (unpredictable[member] ?? value) : value
}
