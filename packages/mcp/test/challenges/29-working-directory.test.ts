import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { connect, server } from '@trunkline/mcp'
import { contract } from '@trunkline/mcp/contract'
import { z } from 'zod'
import { revisions } from './revisions.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'cwd-')))
const [inside, outside] = [join(root, 'inside'), join(root, 'outside')]
for (const folder of ['a', 'b', 'c']) {
  mkdirSync(join(inside, folder), { recursive: true })
  writeFileSync(join(inside, folder, 'name'), folder)
}
mkdirSync(outside)
writeFileSync(join(outside, 'secret'), 'secret')
symlinkSync(outside, join(inside, 'a', 'link'))
symlinkSync(join(inside, 'b'), join(inside, 'a', 'neighbour'))
after(() => rmSync(root, { recursive: true }))

const reader = server({ name: 'reader', version: '1.0.0', extensions: [contract({ folders: [inside] })] })
  .tool('read', { input: z.object({ path: z.string() }) }, async ({ path }, ctx) =>
    readFile(await ctx.path(path), 'utf8'),
  )
  .tool('resolve', { input: z.object({ path: z.string() }) }, ({ path }, ctx) => ctx.path(path))

for (const revision of revisions) {
  test(`working directory [${revision}]: calls with three folders at once each read their own`, async () => {
    await using mcp = await connect(reader, { extensions: [contract()], revisions: [revision] })
    const read = async (folder: string) => {
      const { content } = await mcp.tools.call('read', { path: 'name' }, { cwd: join(inside, folder) })
      return (content[0] as { text: string }).text
    }
    assert.deepEqual(await Promise.all(['a', 'b', 'c', 'a'].map(read)), ['a', 'b', 'c', 'a'])
  })

  test(`working directory [${revision}]: whatever leads out is refused, and what stays inside is not`, async () => {
    await using mcp = await connect(reader, { extensions: [contract()], revisions: [revision] })
    const resolved = async (path: string) => {
      const { isError, content } = await mcp.tools
        .call('resolve', { path }, { cwd: join(inside, 'a') })
        .catch((error: Error) => ({ isError: true, content: [{ type: 'text', text: error.message }] }))
      return [isError === true, (content[0] as { text: string }).text]
    }
    for (const path of ['../../outside/secret', 'link/secret', 'link', '/etc/passwd', '../../inside2', 'a\0b'])
      assert.deepEqual([path, (await resolved(path))[0]], [path, true])
    assert.deepEqual(await resolved('../b/name'), [false, join(inside, 'b', 'name')])
    assert.deepEqual(await resolved('neighbour/name'), [false, join(inside, 'b', 'name')])
    assert.deepEqual(await resolved('new/file'), [false, join(inside, 'a', 'new', 'file')])
  })

  test(`working directory [${revision}]: a folder outside is refused before the handler runs`, async () => {
    await using mcp = await connect(reader, { extensions: [contract()], revisions: [revision] })
    const { isError } = await mcp.tools
      .call('read', { path: 'secret' }, { cwd: outside })
      .catch(() => ({ isError: true }))
    assert.equal(isError, true)
  })
}
