import { extname } from 'node:path'
import { utf8Text } from '../utf8.ts'

/** The type of a file of a skill, by its name and by whether it is text. */
export function skillFileType(path: string, bytes: Uint8Array): string {
  return (
    types[extname(path).toLowerCase()] ?? (utf8Text(bytes) === undefined ? 'application/octet-stream' : 'text/plain')
  )
}

const types: { readonly [extension: string]: string } = {
  '.css': 'text/css',
  '.csv': 'text/csv',
  '.gif': 'image/gif',
  '.html': 'text/html',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.md': 'text/markdown',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.py': 'text/x-python',
  '.sh': 'text/x-shellscript',
  '.svg': 'image/svg+xml',
  '.ts': 'text/typescript',
  '.webp': 'image/webp',
  '.xml': 'application/xml',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
  '.zip': 'application/zip',
}
