import type { Server } from '@trunkline/mcp'
import { redPixel } from './samples.ts'

/** Resources of text, of bytes, and of a template. */
export function offerResources(app: Server): void {
  app.resource(
    'test://static-text',
    { name: 'Static text', mimeType: 'text/plain' },
    () => 'This is the content of the static text resource.',
  )

  app.resource('test://static-binary', { name: 'Static binary', mimeType: 'image/png' }, () =>
    Buffer.from(redPixel, 'base64'),
  )

  app.resource(
    'test://watched-resource',
    { name: 'Watched resource', mimeType: 'text/plain' },
    () => 'Watched resource content',
  )

  app.template('test://template/{id}/data', { name: 'Template', mimeType: 'application/json' }, ({ id }) =>
    JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
  )
}
