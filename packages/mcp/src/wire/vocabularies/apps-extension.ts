/** The id of the extension. */
export const appsExtensionId = 'io.modelcontextprotocol/ui'

/** The revision of the messages between a view and its host. */
export const appsProtocolVersion = '2026-01-26'
