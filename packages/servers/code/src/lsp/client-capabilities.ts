/** Capabilities that are declared to language servers: what the tools use, and no more. */
export const clientCapabilities = {
  general: { positionEncodings: ['utf-16'] },
  window: { workDoneProgress: true },
  workspace: {
    workspaceFolders: true,
    configuration: true,
    symbol: { dynamicRegistration: false },
    didChangeWatchedFiles: { dynamicRegistration: true },
    workspaceEdit: { documentChanges: true },
  },
  textDocument: {
    synchronization: { dynamicRegistration: false },
    definition: { linkSupport: true },
    references: {},
    hover: { contentFormat: ['markdown', 'plaintext'] },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    publishDiagnostics: { relatedInformation: false, versionSupport: true },
    diagnostic: { dynamicRegistration: true },
    rename: { prepareSupport: true },
  },
} as const

/** Capabilities of a language server, as far as the tools use them. */
export interface LspCapabilities {
  readonly definitionProvider?: unknown
  readonly referencesProvider?: unknown
  readonly hoverProvider?: unknown
  readonly documentSymbolProvider?: unknown
  readonly workspaceSymbolProvider?: unknown
  readonly renameProvider?: unknown
  readonly diagnosticProvider?: unknown
}
