import { McpError } from '../../wire/errors.ts'

/** A URI template that cannot be parsed, or values it cannot be expanded with. */
export class TemplateError extends McpError {
  /** Position in the template, counted from 0. */
  readonly position: number

  constructor(action: 'parse' | 'expand', position: number, state: string) {
    super('Misuse', `Cannot ${action} URI template at ${position}: ${state}`)
    this.position = position
  }
}
