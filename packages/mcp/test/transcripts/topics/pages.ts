import { server } from '../../../src/index.ts'
import { cafe, type Topic } from '../topic.ts'

export const pages: Topic = {
  says: 'A list that is longer than a page is fetched page by page.',
  server: () =>
    server({ ...cafe, pageSize: 2, cache: { ttlMs: 300_000, scope: 'public' } })
      .tool('espresso', {}, () => 'short')
      .tool('lungo', {}, () => 'long')
      .tool('latte', {}, () => 'milky'),
  async talk(client) {
    await client.tools.list().all()
  },
}
