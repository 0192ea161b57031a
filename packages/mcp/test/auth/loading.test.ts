import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

/** Output of a program that is run in the folder of the package. */
async function printed(args: readonly string[], source = ''): Promise<string[]> {
  const cwd = new URL('../..', import.meta.url)
  const child = spawn(process.execPath, args, { cwd, stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(source)
  return (await child.stdout.toArray()).join('').trim().split('\n')
}

test('loading: programs that do not authorize load no OAuth', async () => {
  const urls = await printed(
    ['--input-type=module'],
    `import { registerHooks } from 'node:module'
    registerHooks({ load(url, context, next) { console.log(url); return next(url, context) } })
    const { connect } = await import('@trunkline/mcp')
    await import('@trunkline/mcp/http')
    await import('@trunkline/mcp/node')
    await connect(new URL('http://127.0.0.1:1/')).catch(() => {})`,
  )
  assert.ok(urls.some((url) => url.endsWith('/http-channel.ts')))
  const oauth = urls.filter((url) => /node_modules\/(?:oauth4webapi|jose)\/|src\/auth\/client\//.test(url))
  assert.deepEqual(oauth, [])
})

test('loading: where there is no Node a user can be signed in all the same', async () => {
  const lines = await printed([fileURLToPath(new URL('without-node.ts', import.meta.url))])
  assert.deepEqual(lines, ['Bearer token-1', 'Unsupported', 'Unsupported'])
})
