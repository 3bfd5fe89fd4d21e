/** What the tests use of it; the package brings no types. */
declare module '@micropython/micropython-webassembly-pyscript' {
  export function loadMicroPython(options: { stdout: (line: string) => void }): Promise<{
    FS: { writeFile: (path: string, text: string) => void };
    globals: { get: (name: string) => () => void };
    registerJsModule: (name: string, module: object) => void;
    runPythonAsync: (source: string) => Promise<unknown>;
  }>;
}
