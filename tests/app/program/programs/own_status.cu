// expect: status 5
// expect: ended with status 3; 0 launches, nothing found
int main() {
    return 3;
}
