/** Bytes that are kept outside of the memory of the process, where the runtime has such a place. */
export interface SpillFile {
  append(bytes: Uint8Array): Promise<void>
  /** The bytes from one place up to another one, which is not among them. */
  read(from: number, to: number): Promise<Uint8Array>
  close(): Promise<void>
}

/** The place for results that are too large. */
export interface SpillPlace {
  /** Most bytes it can keep, whatever the limits say. */
  readonly maxBytes: number
  open(): Promise<SpillFile>
}
