import type { Path } from '../document/document.ts'

/** Reads a key as people write it: `mcpServers.github.env`, with quotes around a part that holds dots or spaces. */
export function parseKey(text: string): Path {
  const parts = text.match(/"(?:[^"\\]|\\.)*"|[^."]+/g) ?? []
  const path = parts.map((part) => (part.startsWith('"') ? unquote(part) : part.trim()))
  if (path.length === 0 || path.includes('')) throw new Error(`Cannot read the key "${text}": write it as a.b.c`)
  return path
}

function unquote(part: string): string {
  try {
    return JSON.parse(part) as string
  } catch {
    return ''
  }
}
