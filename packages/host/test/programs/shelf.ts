/** A server with resources on pages, which another one may call by the same addresses; it tells who watches. */
import { serve, server } from '@trunkline/mcp'
import { z } from 'zod'

const [, , name = ''] = process.argv
let watched = 0

const shelf = server({
  name,
  version: '1.0.0',
  pageSize: 2,
  onWarning: () => {},
  onWatch: () => {
    watched += 1
    return () => {
      watched -= 1
    }
  },
})
  .resource('book:1', { name: 'one' }, () => `book 1 of ${name}`)
  .resource('book:2', { name: 'two' }, () => `book 2 of ${name}`)
  .resource(`book:${name}`, { name: 'own' }, () => `the book of ${name}`)
  .template('page:{number}', { name: 'pages', complete: { number: () => [`${name}-7`] } }, ({ number }) => {
    return `page ${number} of ${name}`
  })
  .tool('read_links', { annotations: { readOnlyHint: true } }, () => ({
    content: [
      { type: 'resource_link', uri: 'book:1', name: 'one' },
      { type: 'resource', resource: { uri: 'page:3', text: 'three' } },
      { type: 'text', text: 'book:1' },
    ],
  }))
  .prompt('quote', {}, () => ({
    messages: [{ role: 'user', content: { type: 'resource', resource: { uri: 'book:1', text: 'one' } } }],
  }))
  .tool('touch', { input: z.object({ uri: z.string() }) }, ({ uri }) => {
    shelf.resources.updated(uri)
    return 'touched'
  })
  .tool('toggle', {}, () => {
    if (shelf.resources.has('book:2')) shelf.resources.disable('book:2')
    else shelf.resources.enable('book:2')
    return 'toggled'
  })
  .tool('watched', {}, () => String(watched))
  .tool('crash', {}, () => process.exit(3))

await serve(shelf)
