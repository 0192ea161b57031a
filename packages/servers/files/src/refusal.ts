import { ToolProblem } from '@trunkline/server-kit/tool-problem'

/** Says to a caller why something cannot be done with a file; nothing is wrong with the server. */
export class FileRefusal extends ToolProblem {
  override readonly name = 'FileRefusal'

  constructor(message: string) {
    super('refused', message)
  }
}

/** Messages for errors of the disk; the paths in their own messages stay here. */
const sentences: { readonly [code: string]: string } = {
  ENOENT: 'there is nothing',
  ENOTDIR: 'a part of the path is no directory',
  EISDIR: 'it is a directory',
  EACCES: 'this server may not',
  EPERM: 'this server may not',
  ELOOP: 'its links lead nowhere',
  ENAMETOOLONG: 'its name is too long',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk is read-only',
}

/** Does something with a file, and explains what the disk refuses. */
export async function explaining<T>(verb: string, given: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const sentence = sentences[`${(error as { code?: unknown }).code}`]
    if (sentence === undefined) throw error
    throw new FileRefusal(`Cannot ${verb} ${JSON.stringify(given)}: ${sentence}`)
  }
}
