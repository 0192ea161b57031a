import { type Client, type ClientExtension, type Fields, McpError, type Pages, RpcError } from '@trunkline/mcp'
import { type ClientSkills, skills } from '@trunkline/mcp/skills'
import type { ServerKey } from '../act/server-key.ts'
import type { Catalogue, Offered } from './catalogue.ts'
import { keptSkills } from './kept-skills.ts'

/** The extensions that a client needs for all that a server offers to be listed. */
export const listedExtensions: readonly ClientExtension[] = [skills()]

/** Receives the unusable part of a list, with the reason, for a person. */
export type OnBadList = (problem: string) => void

/** Lists the offers of a server and stores them. */
export async function learnOffers(
  server: ServerKey,
  client: Client,
  catalogue: Catalogue,
  onBadList?: OnBadList,
): Promise<void> {
  await catalogue.offer(server, await offeredBy(client, onBadList))
}

/**
 * All offers of a server, all pages; a list that it does not have is empty, and so is one that cannot be
 * read: it does not hide the others. Of two offers with the same name the first is taken.
 */
export async function offeredBy(client: Client, onBadList: OnBadList = () => {}): Promise<Offered> {
  const { capabilities } = client
  const { skills: ofServer } = client as Client & { readonly skills?: ClientSkills }
  const read = async <Item extends object>(kind: string, pages: Pages<Item> | undefined): Promise<readonly Item[]> => {
    try {
      return (await pages?.all()) ?? []
    } catch (error) {
      if (!isBadList(error)) throw error
      onBadList(`Left out every ${kind}: ${error.message}`)
      return []
    }
  }
  const all = async (kind: string, pages: Pages<object> | undefined) =>
    firstOfEachName(kind, (await read(kind, pages)) as readonly Fields[], onBadList)
  const [tools, prompts, templates, listed] = await Promise.all([
    all('tool', capabilities.tools && client.tools.list()),
    all('prompt', capabilities.prompts && client.prompts.list()),
    all('template', capabilities.resources && client.resources.templates()),
    read('skill', ofServer?.offered ? ofServer.list() : undefined),
  ])
  const { instructions } = client
  const hasResources = capabilities.resources !== undefined
  return { tools, prompts, templates, skills: keptSkills(listed, onBadList), instructions, hasResources }
}

/** True if the server answered, and its answer is of no use. */
function isBadList(error: unknown): error is Error {
  return error instanceof RpcError || (error instanceof McpError && error.code === 'InvalidResponse')
}

function firstOfEachName(kind: string, items: readonly Fields[], onBadList: OnBadList): readonly Fields[] {
  const names = new Set<unknown>()
  return items.filter(({ name, uriTemplate }) => {
    const own = kind === 'template' ? uriTemplate : name
    const isTaken = names.has(own)
    if (isTaken) onBadList(`Left out ${kind} "${own}": one before it has the same name`)
    names.add(own)
    return !isTaken
  })
}
