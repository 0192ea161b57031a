import { type Client, type Fields, McpError, type Pages, RpcError } from '@trunkline/mcp'
import type { Catalogue, Offered } from './catalogue.ts'

/** Receives what is wrong with a list, for a person. */
export type OnBadList = (problem: string) => void

/** Lists what a server offers and stores it. */
export async function learnOffers(
  server: string,
  client: Client,
  catalogue: Catalogue,
  onBadList?: OnBadList,
): Promise<void> {
  await catalogue.offer(server, await offeredBy(client, onBadList))
}

/**
 * Everything a server offers, all pages; what it does not offer at all is an empty list, and so is a list that cannot be
 * read: it does not hide the others.
 */
export async function offeredBy(client: Client, onBadList: OnBadList = () => {}): Promise<Offered> {
  const { capabilities } = client
  const all = async (pages: Pages<object> | undefined): Promise<readonly Fields[]> => {
    try {
      return ((await pages?.all()) ?? []) as readonly Fields[]
    } catch (error) {
      if (!isBadList(error)) throw error
      onBadList(error.message)
      return []
    }
  }
  const [tools, prompts, templates] = await Promise.all([
    all(capabilities.tools && client.tools.list()),
    all(capabilities.prompts && client.prompts.list()),
    all(capabilities.resources && client.resources.templates()),
  ])
  const { instructions } = client
  return { tools, prompts, templates, instructions, hasResources: capabilities.resources !== undefined }
}

/** Whether the server answered, and its answer is of no use. */
function isBadList(error: unknown): error is Error {
  return error instanceof RpcError || (error instanceof McpError && error.code === 'InvalidResponse')
}
