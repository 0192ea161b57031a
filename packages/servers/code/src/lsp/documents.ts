import { pathToFileURL } from 'node:url'

/** A file as a language server has it open. */
interface OpenDocument {
  text: string
  version: number
}

/** Tells a language server something. */
export type TellServer = (method: string, params: unknown) => void

/** Files that are open in a language server; the one used longest ago is closed to make room. */
export class Documents {
  readonly #notify: TellServer
  readonly #maxOpen: number
  readonly #open = new Map<string, OpenDocument>()

  constructor(notify: TellServer, maxOpen: number) {
    this.#notify = notify
    this.#maxOpen = maxOpen
  }

  /** Paths of all open files. */
  get paths(): readonly string[] {
    return [...this.#open.keys()]
  }

  has(path: string): boolean {
    return this.#open.has(path)
  }

  /** The text of an open file, as the server has it. */
  textOf(path: string): string {
    return this.#open.get(path)?.text ?? ''
  }

  /** Opens a file, or tells its new text; returns whether the server was told anything. */
  sync(path: string, text: string, languageId: string): boolean {
    const uri = fileUri(path)
    const known = this.#open.get(path)
    if (known) {
      // the order of the map is that of use
      this.#open.delete(path)
      this.#open.set(path, known)
      if (known.text === text) return false
      known.text = text
      known.version++
      this.#notify('textDocument/didChange', {
        textDocument: { uri, version: known.version },
        contentChanges: [{ text }],
      })
      return true
    }
    const [oldest] = this.#open.keys()
    if (oldest !== undefined && this.#open.size >= this.#maxOpen) this.close(oldest)
    this.#open.set(path, { text, version: 1 })
    this.#notify('textDocument/didOpen', { textDocument: { uri, languageId, version: 1, text } })
    return true
  }

  close(path: string): void {
    if (this.#open.delete(path)) this.#notify('textDocument/didClose', { textDocument: { uri: fileUri(path) } })
  }
}

/** The address of a path. */
export function fileUri(path: string): string {
  return pathToFileURL(path).href
}
