/** A server with an address that it lists nowhere, and that tells which addresses it was asked for. */
import { type Fields, serve, server } from '@trunkline/mcp'

const [, , name = ''] = process.argv
const asked: string[] = []
/** Every cache may keep an answer for a while. */
const kept = { ttlMs: 60_000, cacheScope: 'public' }

const unlisted = server({ name, version: '1.0.0', onWarning: () => {} })
  .resource(`listed:${name}`, { name: 'listed' }, () => 'listed')
  .tool('read_change', { annotations: { readOnlyHint: true } }, () => {
    unlisted.resources.updated(`hidden:${name}`)
    return 'changed'
  })
  .tool('read_asked', { annotations: { readOnlyHint: true } }, () => asked.join())

unlisted.use((next) => async (request) => {
  const { method, params } = request
  if (method !== 'resources/read') return next(request)
  const uri = String((params as Fields).uri)
  asked.push(uri)
  return uri === `hidden:${name}` ? { ...kept, contents: [{ uri, text: `hidden in ${name}` }] } : next(request)
})

await serve(unlisted)
