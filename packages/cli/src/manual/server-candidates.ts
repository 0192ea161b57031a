import type { Client } from '@trunkline/mcp/client'
import { choicesOf, describeArguments } from '../arguments/describe-arguments.ts'
import type { Candidate, Completing } from './completing.ts'

type Finder = (client: Client, words: readonly string[]) => Promise<readonly Candidate[]>

const finders: { readonly [command: string]: Finder } = {
  tools: async (client, words) => (words.length === 1 ? toolNames(client) : []),
  call: async (client, words) => (words.length === 1 ? toolNames(client) : toolArguments(client, words)),
  read: async (client, words) => (words.length === 1 ? addresses(client) : []),
  watch: (client) => addresses(client),
  prompt: async (client, words) => (words.length === 1 ? promptNames(client) : promptArguments(client, words)),
}

/** Candidates that a server knows: names of tools and prompts, URIs, arguments and their values. */
export async function serverCandidates(
  command: string,
  words: readonly string[],
  { connect }: Completing,
): Promise<readonly Candidate[]> {
  const [server = '', ...rest] = words
  const find = finders[command]
  if (find === undefined || rest.length === 0) return []
  await using asked = await connect(server)
  return asked === undefined ? [] : await find(asked.client, rest)
}

async function addresses(client: Client): Promise<readonly Candidate[]> {
  const resources = await client.resources.list().all()
  return resources.map(({ uri, title, name }) => ({ text: uri, about: title ?? name }))
}

async function toolNames(client: Client): Promise<readonly Candidate[]> {
  const tools = await client.tools.list().all()
  return tools.map(({ name, title, description }) => ({ text: name, about: description ?? title ?? '' }))
}

async function toolArguments(client: Client, words: readonly string[]): Promise<readonly Candidate[]> {
  const tool = (await client.tools.list().all()).find(({ name }) => name === words[0])
  const current = words.at(-1) ?? ''
  return describeArguments(tool?.inputSchema ?? {}).flatMap(({ name, description, schema }) => {
    const values = schema.type === 'boolean' ? [true, false] : (choicesOf(schema) ?? [])
    if (!current.startsWith(`${name}=`)) return [{ text: `${name}=`, about: description }]
    return values.map((value) => ({ text: `${name}=${value}`, about: description }))
  })
}

async function promptNames(client: Client): Promise<readonly Candidate[]> {
  const prompts = await client.prompts.list().all()
  return prompts.map(({ name, title, description }) => ({ text: name, about: description ?? title ?? '' }))
}

/** Values come from the server's own completion. */
async function promptArguments(client: Client, words: readonly string[]): Promise<readonly Candidate[]> {
  const [prompt = ''] = words
  const [, argument, value = ''] = /^([^=]+)=(.*)$/.exec(words.at(-1) ?? '') ?? []
  if (argument !== undefined) {
    const others: { [name: string]: string } = {}
    for (const word of words.slice(1, -1)) others[word.split('=', 1)[0] ?? ''] = word.slice(word.indexOf('=') + 1)
    const { values } = await client.complete({ prompt, argument }, value, others)
    return values.map((text) => ({ text: `${argument}=${text}`, about: '' }))
  }
  const found = (await client.prompts.list().all()).find(({ name }) => name === prompt)
  return (found?.arguments ?? []).map(({ name, description = '' }) => ({ text: `${name}=`, about: description }))
}
