import type { Client, Fields } from '@trunkline/mcp'
import type { Catalogue, Offered } from './catalogue.ts'

/** Lists what a server offers and stores it. */
export async function learnOffers(server: string, client: Client, catalogue: Catalogue): Promise<void> {
  await catalogue.offer(server, await offeredBy(client))
}

/** Everything a server offers, all pages; what it does not offer at all is an empty list. */
export async function offeredBy(client: Client): Promise<Offered> {
  const { capabilities } = client
  const [tools, prompts, templates] = await Promise.all([
    capabilities.tools ? client.tools.list().all() : [],
    capabilities.prompts ? client.prompts.list().all() : [],
    capabilities.resources ? client.resources.templates().all() : [],
  ])
  return { tools: plain(tools), prompts: plain(prompts), templates: plain(templates) }
}

function plain(items: readonly object[]): readonly Fields[] {
  return items as readonly Fields[]
}
