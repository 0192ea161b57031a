import assert from 'node:assert/strict'
// region connecting
import { connect, McpError, RpcError, TrunklineError } from '@trunkline/mcp'
import { shop } from './servers.ts'
// endregion

export async function tour(): Promise<void> {
  // region connecting
  await using mcp = await connect(shop)
  console.log(`Speaking ${mcp.revision} with ${mcp.server?.name}`)
  // endregion

  // region listing
  for await (const tool of mcp.tools.list()) console.log(tool.name)
  const templates = await mcp.resources.templates().all()
  // endregion
  assert.equal(templates.length, 1)

  // region calling
  const signal = AbortSignal.timeout(5_000)
  const onProgress = ({ progress }: { progress: number }) => console.log(progress)
  const { structuredContent } = await mcp.tools.call('price', { item: 'apple' }, { signal, onProgress })
  // endregion
  assert.deepEqual(structuredContent, { euros: 5 })

  // region watching
  await using watch = await mcp.watch({ tools: true, uris: ['shop://hours'] }, (change) =>
    console.log('changed:', change),
  )
  // endregion
  assert.equal(typeof watch.close, 'function')

  // region errors
  try {
    await mcp.resources.read('shop://nowhere')
  } catch (error) {
    if (error instanceof RpcError) console.log('the server refused:', error.code, error.message)
    else if (error instanceof McpError) console.log('it failed on this side:', error.code)
    if (error instanceof TrunklineError && error.outcome === 'NotSent') console.log('safe to repeat')
  }
  // endregion
}
