/** `trunkline wrap --openapi`: a server made of the description of an HTTP API. */
export { openApi } from './openapi/open-api.ts'
