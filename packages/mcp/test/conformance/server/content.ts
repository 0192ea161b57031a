import { audio, embed, image, type Server, text } from '@trunkline/mcp'
import { redPixel, silence } from './samples.ts'

/** Tools that return each kind of content. */
export function offerContent(app: Server): void {
  app.tool('test_simple_text', { description: 'Returns text' }, () => 'This is a simple text response for testing.')

  app.tool('test_image_content', { description: 'Returns an image' }, () => image(redPixel, 'image/png'))

  app.tool('test_audio_content', { description: 'Returns a sound' }, () => audio(silence, 'audio/wav'))

  app.tool('test_embedded_resource', { description: 'Returns a resource with its contents' }, () =>
    embed('test://embedded-resource', 'This is an embedded resource content.', 'text/plain'),
  )

  app.tool('test_multiple_content_types', { description: 'Returns text, an image and a resource' }, () => [
    text('Multiple content types test:'),
    image(redPixel, 'image/png'),
    embed('test://mixed-content-resource', JSON.stringify({ test: 'data', value: 123 }), 'application/json'),
  ])

  app.tool('test_error_handling', { description: 'Fails' }, () => {
    throw new Error('This tool intentionally returns an error for testing')
  })
}
