import type { Tool } from '../../model/types.ts'
import { digest } from '../../wire/sealed.ts'

/** The hash of what a tool takes: the same in every revision, and until its input schema changes. */
export function definitionHash({ inputSchema }: Pick<Tool, 'inputSchema'>): Promise<string> {
  return digest(inputSchema)
}
