import { type Client, type Fields, InvalidParams, RpcError } from '@trunkline/mcp'
import type { PersonPart } from './entry.ts'

/** Message of a person: text, resources they attach, and a prompt of a server they use. */
export interface ChatInput {
  readonly text?: string | undefined
  /** Addresses of resources. */
  readonly attach?: readonly string[] | undefined
  readonly prompt?:
    | { readonly name: string; readonly arguments?: { readonly [name: string]: string } | undefined }
    | undefined
}

/** Characters that one message may have, with all that is attached. */
export const maxInputChars = 1_000_000

/** Reads the attached resources and the prompt of a message; fails before anything is said. */
export async function readInput(
  client: Pick<Client, 'resources' | 'prompts'>,
  { text = '', attach = [], prompt }: ChatInput,
  signal: AbortSignal,
): Promise<readonly PersonPart[]> {
  const parts: PersonPart[] = []
  if (prompt) {
    const { messages } = await client.prompts.get(prompt.name, prompt.arguments ?? {}, { signal })
    const blocks = messages.map(({ content }): Fields => ({ ...content }))
    parts.push({ type: 'prompt', name: prompt.name, ...(prompt.arguments && { arguments: prompt.arguments }), blocks })
  }
  if (text !== '') parts.push({ type: 'text', text })
  for (const uri of attach) {
    const { contents } = await readResource(client, uri, signal)
    parts.push({ type: 'resource', uri, contents: contents.map((one): Fields => ({ ...one })) })
  }
  const size = JSON.stringify(parts).length
  if (size > maxInputChars)
    throw new Error(`Cannot send this: it has ${size} characters, and ${maxInputChars} are the most`)
  if (parts.length === 0) throw new Error('Cannot send this: it is empty')
  return parts
}

const notFound = -32002
/** Resources listed at most to find the server of an address. */
const maxListed = 1_000

/** Reads a resource; the server of an address may become known only by listing, so a miss lists and tries again. */
async function readResource(client: Pick<Client, 'resources'>, uri: string, signal: AbortSignal) {
  try {
    return await client.resources.read(uri, { signal })
  } catch (error) {
    if (!(error instanceof RpcError) || (error.code !== notFound && error.code !== InvalidParams)) throw error
    let listed = 0
    for await (const resource of client.resources.list({ signal })) {
      if (resource.uri === uri || ++listed >= maxListed) break
    }
    return client.resources.read(uri, { signal })
  }
}
