import { server } from '../../../src/index.ts'
import { cafe, type Topic } from '../topic.ts'

export const resources: Topic = {
  says: 'A client lists the resources and the templates, reads one of each, and completes a variable.',
  server: () =>
    server(cafe)
      .resource(
        'cafe://menu',
        { name: 'menu', title: 'The menu', mimeType: 'text/plain', cache: { ttlMs: 60_000, scope: 'public' } },
        () => 'espresso, cortado',
      )
      .template(
        'cafe://beans/{origin}',
        {
          name: 'beans',
          complete: { origin: (start) => ['Kenya', 'Peru'].filter((origin) => origin.startsWith(start)) },
        },
        ({ origin }) => `Beans from ${origin}`,
      ),
  async talk(client) {
    await client.resources.list().all()
    await client.resources.templates().all()
    await client.resources.read('cafe://menu')
    await client.resources.read('cafe://beans/Kenya')
    await client.complete({ template: 'cafe://beans/{origin}', argument: 'origin' }, 'K')
  },
}
