import type { Locator } from 'playwright-core'

/** Replaces all that is in an editor, as a person does: an editor hears of what `fill` selects too late, and leaves it to the browser. */
export async function typeOver(editor: Locator, text: string): Promise<void> {
  await editor.press('ControlOrMeta+a')
  await editor.page().keyboard.insertText(text)
}
