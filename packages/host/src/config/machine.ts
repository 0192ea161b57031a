/** A person's machine; it decides in which folders the files of clients are. */
export interface Machine {
  readonly platform: NodeJS.Platform
  readonly home: string
  readonly environment: { readonly [name: string]: string | undefined }
}
