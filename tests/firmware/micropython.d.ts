/** Types of the functions that the tests use; the package has no types. */
declare module '@micropython/micropython-webassembly-pyscript' {
  export function loadMicroPython(options: { stdout: (line: string) => void }): Promise<{
    FS: { writeFile: (path: string, text: string) => void };
    globals: { get: (name: string) => () => void };
    registerJsModule: (name: string, module: object) => void;
    runPythonAsync: (source: string) => Promise<unknown>;
  }>;
}
