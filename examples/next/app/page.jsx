"use client";
// Shows the inputs and outputs of a model that is chosen.
//   npm install && npx next dev
import { useState } from "react";
import { open } from "cryograph/worker";

export default function Page() {
  const [found, setFound] = useState(null);
  const show = async ({ target }) => {
    const model = await open([...target.files]);
    setFound(await model.inspect());
    model.close();
  };
  return (
    <main>
      <h1>Inputs and outputs of a model</h1>
      <input type="file" multiple aria-label="Files of a model" onChange={show} />
      {found && <List title="Inputs" rows={found.inputs} />}
      {found && <List title="Outputs" rows={found.outputs} />}
    </main>
  );
}

function List({ title, rows }) {
  return (
    <section>
      <h2>{title}</h2>
      <ul>
        {rows.map(({ name, dtype, shape }) => (
          <li key={name}>
            <code>{name}</code> {dtype} [{shape?.join(", ")}]
          </li>
        ))}
      </ul>
    </section>
  );
}
