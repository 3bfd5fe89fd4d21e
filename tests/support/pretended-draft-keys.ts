/* Replaces web/src/lib/api.ts: returns the key of a user's drafts while the user is signed in. */

/** Sets who is signed in; nobody at first. The value stays when a test imports the modules again. */
export function signIn(userId: number | undefined): void {
  Reflect.set(globalThis, 'signedInAs', userId);
}

export const api = {
  login: {
    ':id': {
      'draft-key': {
        $get: async ({ param: { id } }: { param: { id: string } }) => {
          if (Number(id) !== Reflect.get(globalThis, 'signedInAs')) throw new Error('401');
          const bytes = new Uint8Array(32).fill(1);
          new DataView(bytes.buffer).setUint32(0, Number(id));
          return await Promise.resolve({
            json: () => Promise.resolve({ key: Buffer.from(bytes).toString('base64') }),
          });
        },
      },
    },
  },
};

export const readJson = async (call: Promise<{ json: () => Promise<unknown> }>) => await (await call).json();
