import { readFile } from 'node:fs/promises'
import { clients } from '../clients.ts'
import { guessFormat, readDocument } from '../formats.ts'
import type { FoundFile } from './discover.ts'

/** Reads a file that a person names, of any client, or a `server.json` of the registry. */
export async function readNamedFile(file: string): Promise<FoundFile> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`Cannot read "${file}": ${error.code === 'ENOENT' ? 'there is no such file' : error.code}`)
  })
  const format = guessFormat(file, text)
  if (!format) {
    throw new Error(
      `Cannot read servers from "${file}": it has no "mcpServers", "servers", "context_servers", "mcp", "packages" or "remotes"`,
    )
  }
  const document = readDocument(format, file, text)
  const client = clients.find(({ files }) => files.value.some((one) => one.format === format.id))?.id ?? 'registry'
  // a person who names a file means its content, even if it is shared
  return {
    client,
    scope: 'user',
    file,
    project: undefined,
    reading: format.read(document),
    problems: document.problems,
  }
}
