export const metadata = { title: "Inputs and outputs of a model" };

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
