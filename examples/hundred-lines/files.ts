/** A server for one folder: `node files.ts FOLDER`. Tools, resources with completion, and news of changes. */
import { watch } from 'node:fs'
import { readdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { reply, serveFromCommandLine, server } from '@trunkline/mcp'
import { contract, plan } from '@trunkline/mcp/contract'
import { z } from 'zod'

/** Makes a server for a folder; nothing outside of it is read or written. */
export async function filesServer(folder: string) {
  const top = await realpath(folder)
  /** The real path that a given one leads to, links followed; throws for one that leads out. */
  async function inside(given: string): Promise<string> {
    const path = resolve(top, given)
    // a file that is to be written is not there yet: then its folder decides
    const real = await realpath(path).catch(async () => join(await realpath(dirname(path)), basename(path)))
    if (!`${real}${sep}`.startsWith(top + sep)) throw new Error(`Cannot use "${given}": it lies outside of the folder`)
    return real
  }

  /** All files below the folder, as paths from there. */
  async function allFiles(): Promise<string[]> {
    const entries = await readdir(top, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
    return files.map((path) => relative(top, path)).filter((path) => !/(^|[\\/])(\.git|node_modules)[\\/]/.test(path))
  }

  const path = z.string().describe('Path from the folder that is served')
  const reads = { readOnlyHint: true, openWorldHint: false }

  const files = server({
    name: 'files',
    version: '1.0.0',
    // the contract lets a tool say what it would do before it does it
    extensions: [contract({ folders: [top] })],
    // called when a client subscribes to resources; the returned function when it stops
    onWatch: (uris) => {
      const watcher = watch(top, { recursive: true }, (_, name) => {
        const uri = `folder:///${name}`
        if (uris.includes(uri)) files.resources.updated(uri)
      })
      return () => watcher.close()
    },
  })
    .tool(
      'list_files',
      {
        description: 'Lists files whose paths contain a text.',
        annotations: reads,
        input: z.object({ text: z.string().default(''), limit: z.int().min(1).max(100).default(50) }),
      },
      async ({ text, limit }) => {
        const found = (await allFiles()).filter((file) => file.includes(text))
        return { items: found.slice(0, limit), total: found.length }
      },
    )
    .tool(
      'read_file',
      {
        description: 'Reads lines of a text file.',
        annotations: reads,
        input: z.object({ path, from: z.int().min(1).default(1), lines: z.int().min(1).max(500).default(200) }),
      },
      async ({ path: given, from, lines }) => {
        const all = (await readFile(await inside(given), 'utf8')).split('\n')
        const part = all.slice(from - 1, from - 1 + lines)
        return reply(part.join('\n'), {
          structured: { from, lines: part.length, hasMore: from - 1 + lines < all.length },
        })
      },
    )
    .tool(
      'write_file',
      {
        description: 'Writes a text file, whole; its folder must be there.',
        annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
        input: z.object({ path, content: z.string() }),
        effects: { writes: ['**'] },
        preview: async ({ path: given, content }) =>
          plan([`writes ${content.length} characters to ${await inside(given)}`]),
      },
      async ({ path: given, content }) => {
        await writeFile(await inside(given), content)
        return `Wrote ${given}`
      },
    )
    .template(
      'folder:///{+path}',
      {
        name: 'file',
        list: async () => (await allFiles()).map((file) => ({ uri: `folder:///${file}`, name: file })),
        complete: { path: async (start) => (await allFiles()).filter((file) => file.startsWith(start)) },
      },
      async ({ path: given }) => readFile(await inside(given)),
    )
  return files
}

if (import.meta.main)
  await serveFromCommandLine(await filesServer(process.argv[2] ?? '.'), { args: process.argv.slice(3) })
