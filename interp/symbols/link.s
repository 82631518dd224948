// This empty file lets the package declare functions whose bodies are linked from elsewhere.
