import assert from 'node:assert/strict'
import { test } from 'node:test'
import { everyRevision } from '@trunkline/mcp/testing'
import { fresh } from './fresh.ts'

const letters = ['a', 'b', 'c', 'd', 'e']

function paged() {
  const pages = fresh({ pageSize: 2 })
  for (const letter of letters) {
    pages.tool(letter, {}, () => letter)
    pages.prompt(letter, {}, () => letter)
    pages.resource(`test:${letter}`, {}, () => letter)
    pages.template(`test:${letter}/{rest}`, {}, () => letter)
  }
  return pages
}

const lists = [
  { method: 'tools/list', member: 'tools' },
  { method: 'prompts/list', member: 'prompts' },
  { method: 'resources/list', member: 'resources' },
  { method: 'resources/templates/list', member: 'resourceTemplates' },
]

for (const { method, member } of lists) {
  test(`${method} is cut into pages that have everything once`, async () => {
    await everyRevision(paged(), async ({ client }) => {
      const sizes: number[] = []
      const seen = new Set<unknown>()
      let cursor: unknown
      do {
        const page = await client.request(method, cursor === undefined ? {} : { cursor })
        const items = page[member] as readonly { name: string }[]
        sizes.push(items.length)
        for (const { name } of items) seen.add(name)
        cursor = page.nextCursor
      } while (cursor !== undefined)
      assert.deepEqual(sizes, [2, 2, 1])
      assert.equal(seen.size, letters.length)
    })
  })

  test(`${method} refuses a cursor that it did not give out`, async () => {
    await everyRevision(paged(), async ({ client }) => {
      for (const cursor of ['nonsense', '', 'Mg==']) {
        await assert.rejects(client.request(method, { cursor }), { code: -32602 })
      }
    })
  })
}

test('a cursor of one list is refused by another', async () => {
  await everyRevision(paged(), async ({ client }) => {
    const { nextCursor } = await client.request('tools/list', {})
    await assert.rejects(client.request('prompts/list', { cursor: nextCursor }), { code: -32602 })
  })
})
